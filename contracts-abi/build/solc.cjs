#!/usr/bin/env node
// The compiler of npm as forge calls one: `--version`, or `--standard-json` with the sources on standard input.
const solc = require('solc')
if (process.argv.includes('--version')) {
  const version = solc.version().replace('.Emscripten.clang', '.Linux.g++')
  console.log(`solc, the solidity compiler commandline interface\nVersion: ${version}`)
} else {
  process.stdout.write(solc.compile(require('node:fs').readFileSync(0, 'utf8')))
}
