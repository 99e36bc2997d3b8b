import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { repositoryFiles } from '../harness/repositoryFiles.js'
import { ROOT } from '../packing/packages.js'
import { vmNamesIn } from './vmNames.js'

/** Where names of VMs stand by right. */
const NAMED_BY_RIGHT = [
  // The byte encodings of the nine VMs of the order protocol, which must work without any chain package.
  /^core\/src\/order\//,
  // The list of the wire's names and the order's names for them.
  /^core\/src\/chain\/vmType\.ts$/,
]

it('core, plugins and host test no VM by its name: what differs is declared by its adapter (architecture.md 4)', () => {
  const sources = repositoryFiles()
    .filter((path) => /^(core|host|host\/sandbox|plugins\/[^/]+)\/src\/.*\.ts$/.test(path))
    .filter((path) => !/\.test(\.support)?\.ts$|\/fixtures\//.test(path))
    .filter((path) => !NAMED_BY_RIGHT.some((place) => place.test(path)))
  expect(sources.length).toBeGreaterThan(500)
  const named = sources.flatMap((path) =>
    vmNamesIn(readFileSync(join(ROOT, path), 'utf8')).map((name) => `${path}:${name}`),
  )
  expect(named).toEqual([])
})

it.each([
  ["if (vmType === 'evm') pay()", ["1: 'evm'"]],
  ['const lags = {\n  bvm: 7200,\n}', ['2: bvm:']],
  ['PROTOCOL_VM_TYPES.svm', ['1: .svm']],
  ['type Vm = `ton-vm`', ['1: `ton-vm`']],
  ["// evm: 'evm'\n/** 'svm' */\nimport '@causeway/chain-evm'", []],
])('such a name is found in %s', (code, names) => {
  expect(vmNamesIn(code)).toEqual(names)
})
