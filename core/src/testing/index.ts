export * from './testDatabase.js'
export * from './testPostgres.js'
