export * from './conformance/conformanceCases.js'
export type { ConformanceCase, ConformanceHarness } from './conformance/conformanceHarness.js'
export * from './testDatabase.js'
export * from './testPostgres.js'
