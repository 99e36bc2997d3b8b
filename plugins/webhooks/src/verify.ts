export * from './verifyWebhook.js'
