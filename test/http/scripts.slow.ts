import { describeScripts } from './scripts.ts'

// One for each coding.
describeScripts([0, 1, 2, 3].map((more) => 5 * 1024 * 1024 + more))
