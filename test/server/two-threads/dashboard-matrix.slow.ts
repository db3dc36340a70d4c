process.env.SHEAF_TEST_HTTP_THREADS = '2'
await import('../../dashboard-api/matrix.test.ts')
