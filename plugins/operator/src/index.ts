export * from './explain/explainCommand.js'
