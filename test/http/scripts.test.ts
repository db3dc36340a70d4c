import { describeScripts, SIZES } from './scripts.ts'

describeScripts(SIZES)
