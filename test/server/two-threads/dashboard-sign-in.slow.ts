process.env.SHEAF_TEST_HTTP_THREADS = '2'
await import('../../dashboard-api/sign-in.test.ts')
