export * from './testDatabase.js'
