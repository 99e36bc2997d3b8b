#!/usr/bin/env node
const main = await import('../dist/bundle/main.js').then(
  (module) => module.main,
  (error) => {
    if (error?.code !== 'ERR_MODULE_NOT_FOUND' || !String(error.message).includes('dist/bundle/main.js')) throw error
    console.error('Causeway is not built yet. Run: npm run build')
    process.exit(1)
  },
)
await main(process.argv.slice(2))
