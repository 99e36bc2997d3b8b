import fc from 'fast-check'
import { expect, it } from 'vitest'
import { COLUMNS, indented, labelled } from './layout.js'

const word = fc.string({ minLength: 1, maxLength: 90 }).map((text) => text.replaceAll(/\s/g, '_'))

it('fits the columns and never cuts or loses a word, so that ids stay copyable', () => {
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 12 }), (words) => {
      for (const lines of [labelled('label', words.join(' ')), indented(words.join(' '), 4)]) {
        expect(lines.filter((line) => line.length > COLUMNS)).toEqual([])
        expect(
          lines
            .join(' ')
            .replace(/^ +label +/, '')
            .trim()
            .split(/ +/),
        ).toEqual(words)
      }
    }),
  )
})
