import { readFileSync } from 'node:fs'
import { parseAst } from 'rolldown/parseAst'
import { describe, expect, it } from 'vitest'
import { builtFile } from '../builtFile.js'
import { CAUGHT_BY_SEED, CAUGHT_BY_TEST } from './caughtBy.js'
import { MUTANTS, mutantNamed } from './mutants.js'
import { mutatedText } from './mutatedText.js'

describe('mutants', () => {
  it.each(MUTANTS)('$name finds its text in the built file once, and what is left is a module', (mutant) => {
    const text = readFileSync(builtFile(mutant.file), 'utf8')
    const mutated = mutatedText(mutant, text)
    expect(mutated).not.toBe(text)
    expect(() => parseAst(mutated)).not.toThrow()
  })

  it('have names of their own', () => {
    expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length)
  })

  it('are told by name, and which there are where there is none of it', () => {
    expect(mutantNamed('tier-ignored').file).toBe('core/dist/quorum/quorumTiers.js')
    expect(() => mutantNamed('tier')).toThrow(/no mutant "tier".*tier-ignored/)
  })

  it.each(['', 'x = 1; x = 1;'])('refuses a file in which the text does not stand exactly once: %j', (text) => {
    const mutant = { ...mutantNamed('tier-ignored'), find: 'x = 1' }
    expect(() => mutatedText(mutant, text)).toThrow(/stands \d times/)
  })
})

describe('each mutant is caught', () => {
  const names = MUTANTS.map(({ name }) => name)
  const caught = [...Object.keys(CAUGHT_BY_SEED), ...Object.keys(CAUGHT_BY_TEST)]

  it('by a seed or a test, and no other name has one', () => {
    expect(caught.toSorted()).toEqual(names.toSorted())
  })

  it.each(Object.entries(CAUGHT_BY_TEST))('%s: by a test that exists', (_, { file, title }) => {
    const text = readFileSync(builtFile(file), 'utf8')
    expect(["'", '"', '`'].some((quote) => text.includes(`${quote}${title}${quote},`))).toBe(true)
  })
})
