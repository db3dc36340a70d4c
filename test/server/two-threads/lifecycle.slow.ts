process.env.SHEAF_TEST_HTTP_THREADS = '2'
await import('../lifecycle.test.ts')
