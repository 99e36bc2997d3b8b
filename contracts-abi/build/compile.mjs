// Compiles contracts/**/*.sol with the JavaScript build of solc and writes one TypeScript file per contract to
// src/generated, those of published/ too. Does nothing if sources, settings and compiler are those of the last run.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const outFolder = join(root, 'src/generated')
const hashFile = join(outFolder, 'sources.hash')
const require = createRequire(import.meta.url)

const settings = {
  optimizer: { enabled: true, runs: 800 },
  evmVersion: 'cancun',
  // Without appended metadata the bytecode depends on the code alone.
  metadata: { bytecodeHash: 'none', appendCBOR: false },
  outputSelection: {
    '*': {
      '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object', 'evm.deployedBytecode.immutableReferences'],
    },
  },
}

/** Contracts that are never deployed: nodes run their code in the place of an account. */
const overriding = new Set(['HoldingsProbe', 'TransferProbe'])

/** Contracts whose code on a chain is compared with ours. */
const compared = new Set([
  'Depository',
  'DepositAddressFactory',
  'DepositReceiver',
  'FillRouter',
  'FormerDepositAddressFactory',
  'FormerDepositReceiver',
  'PermitReceiver',
  'PermitRouter',
  'SwapRouter',
])

/** Warnings that say nothing about safety, each allowed in one file only. */
const harmless = new Set([
  'DepositReceiver.sol 5159', // it removes itself in the transaction that made it, which every chain of this EVM version does
  'former/FormerDepositReceiver.sol 5159', // as above
  'test/ForcedPayment.sol 1699', // selfdestruct is deprecated; here it only moves money
  'test/BlockingToken.sol 2319', // a function named like the global `block`, which the token does not use
])

const sources = readSources()
const published = readPublished()
const hash = hashOf()
const upToDate =
  readIfThere(hashFile) === hash &&
  [...contractNames(), ...published.map(({ contract }) => contract)].every((name) =>
    existsSync(join(outFolder, `${camel(name)}.ts`)),
  )
if (upToDate) console.log('contracts: up to date')
else compile()

function readSources() {
  const names = readdirSync(join(root, 'contracts'), { recursive: true }).map(String)
  const files = names.filter((name) => name.endsWith('.sol')).sort()
  return Object.fromEntries(
    files.map((file) => [file.replaceAll('\\', '/'), { content: readFileSync(join(root, 'contracts', file), 'utf8') }]),
  )
}

/** Files that hold a contract to deploy; libraries and abstract contracts have no file of their own in the output. */
function contractNames() {
  return Object.entries(sources)
    .filter(([file, { content }]) => new RegExp(`^contract ${basename(file, '.sol')}\\b`, 'm').test(content))
    .map(([file]) => basename(file, '.sol'))
}

/** Contracts of other authors, by name. */
function readPublished() {
  const files = readdirSync(join(root, 'published')).filter((file) => file.endsWith('.json'))
  return files.map((file) => JSON.parse(readFileSync(join(root, 'published', file), 'utf8')))
}

function hashOf() {
  const compiler = require('solc/package.json').version
  const self = readFileSync(fileURLToPath(import.meta.url), 'utf8')
  return createHash('sha256')
    .update(JSON.stringify([compiler, settings, sources, published, self]))
    .digest('hex')
}

function compile() {
  const solc = require('solc')
  const output = JSON.parse(solc.compile(JSON.stringify({ language: 'Solidity', sources, settings })))
  const problems = (output.errors ?? []).filter(
    ({ severity, sourceLocation, errorCode }) =>
      severity !== 'info' && !harmless.has(`${sourceLocation?.file} ${errorCode}`),
  )
  if (problems.length > 0) {
    for (const problem of problems) console.error(problem.errorCode, problem.formattedMessage)
    process.exitCode = 1
    return
  }
  mkdirSync(outFolder, { recursive: true })
  const names = contractNames()
  const kept = new Set([...names, ...published.map(({ contract }) => contract)].map((name) => `${camel(name)}.ts`))
  for (const old of readdirSync(outFolder)) {
    if (old.endsWith('.ts') && !kept.has(old)) rmSync(join(outFolder, old))
  }
  for (const contract of published) write(join(outFolder, `${camel(contract.contract)}.ts`), publishedText(contract))
  for (const name of names) {
    const file = Object.keys(sources).find((path) => basename(path, '.sol') === name)
    const { abi, evm } = output.contracts[file][name]
    write(join(outFolder, `${camel(name)}.ts`), moduleText(name, abi, evm))
  }
  write(hashFile, hash)
  console.log(`contracts: compiled ${names.length} contracts with solc ${solc.version().split('+')[0]}`)
}

function moduleText(name, abi, { bytecode, deployedBytecode }) {
  const code = overriding.has(name)
    ? [
        `/** Code of the contract ${name} as it runs. */`,
        `export const ${camel(name)}RuntimeBytecode = '0x${deployedBytecode.object}' as const`,
      ]
    : [
        `/** Creation bytecode of the contract ${name}; constructor arguments go behind it. */`,
        `export const ${camel(name)}Bytecode = '0x${bytecode.object}' as const`,
        ...(compared.has(name) ? runtimeText(name, deployedBytecode) : []),
      ]
  return [
    '// Generated by build/compile.mjs. Do not edit.',
    `/** ABI of the contract ${name}. */`,
    `export const ${camel(name)}Abi = ${JSON.stringify(abi, null, 2)} as const`,
    ...code,
    '',
  ].join('\n')
}

function publishedText({ contract, license, origin, sha256, bytecode }) {
  return [
    '// Generated by build/compile.mjs from published/. Do not edit.',
    `/** Runtime code of ${contract}, licence ${license}, from ${origin.package} (${origin.path}). sha256 ${sha256}. */`,
    `export const ${camel(contract)}RuntimeBytecode = '${bytecode}' as const`,
    '',
  ].join('\n')
}

/** Code as it lies on a chain; its immutables are zeros here. */
function runtimeText(name, { object, immutableReferences }) {
  const places = Object.values(immutableReferences ?? {}).flat()
  const starts = places.map(({ start }) => start).sort((left, right) => left - right)
  return [
    `/** Code of the contract ${name} as it runs, with zeros in the place of immutables. */`,
    `export const ${camel(name)}RuntimeBytecode = '0x${object}' as const`,
    `/** Bytes at which the immutables of ${name} begin, 32 bytes each. */`,
    `export const ${camel(name)}Immutables: readonly number[] = ${JSON.stringify(starts)}`,
  ]
}

/** By rename, so that a build running at the same time never reads half a file. */
function write(path, text) {
  const draft = `${path}.${process.pid}.draft`
  writeFileSync(draft, text)
  renameSync(draft, path)
}

function readIfThere(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

function camel(name) {
  return name[0].toLowerCase() + name.slice(1)
}
