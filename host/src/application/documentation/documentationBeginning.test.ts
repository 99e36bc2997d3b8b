import { describe, expect, it } from 'vitest'
import { documentationBeginning, type Served } from './documentationBeginning.js'

const ALL = [
  '/quote',
  '/intents/status/v3',
  '/transactions/index',
  '/currencies/v2',
  '/requests/v2',
  '/dashboard',
  '/dashboard/api/keys/:id/webhook',
]

const beginning = (paths: readonly string[], more: Partial<Served> & { readonly changes?: boolean } = {}): string =>
  documentationBeginning({
    routes: paths.map((path) => ({ path, changes: more.changes ?? false })),
    websocket: more.websocket ?? false,
  })

/** Paths that the text tells somebody to call or open. */
const named = (text: string): readonly string[] =>
  [...text.matchAll(/`(?:[A-Z]+ )?(\/[\w/]+)(?:\?[^`]*)?`/g)].map(([, path = '']) => path)
const headings = (text: string): readonly string[] => [...text.matchAll(/^## (.+)$/gm)].map(([, title = '']) => title)

describe('the beginning of the description', () => {
  it('leads from a quote to its end, and tells what holds for all calls', () => {
    const text = beginning(ALL, { changes: true, websocket: true })
    expect(headings(text)).toEqual([
      'A first transfer',
      'Told instead of asking',
      'Amounts',
      'Errors',
      'Keys',
      'Repeats',
      'Limits',
    ])
    expect(text.match(/^\d\. \*\*\w+/gm)).toEqual(['1. **Quote', '2. **Send', '3. **Tell', '4. **Follow'])
    expect([...new Set(named(text))]).toEqual([
      ...['/quote', '/transactions/index', '/intents/status/v3', '/ws'],
      ...['/currencies/v2', '/dashboard', '/requests/v2'],
    ])
  })

  it.each([...ALL, undefined])('names nothing that the host does not serve (without %s)', (missing) => {
    const paths = ALL.filter((path) => path !== missing)
    expect(named(beginning(paths)).filter((path) => !paths.includes(path))).toEqual([])
  })

  it('of a host that serves none of it says only what holds everywhere', () => {
    const text = beginning(['/ferries'])
    expect(named(text)).toEqual([])
    expect(headings(text)).toEqual(['Amounts', 'Errors', 'Keys', 'Limits'])
  })

  it('takes the second form of a quote where that is the one that is served', () => {
    expect(beginning(['/quote/v2'])).toContain('`POST /quote/v2`')
  })

  it('tells of a webhook or a websocket alone too, and numbers the steps without a gap', () => {
    expect(beginning(ALL)).not.toContain('/ws')
    expect(beginning([], { websocket: true })).not.toContain('Webhook')
    const text = beginning(['/quote', '/intents/status/v3'])
    expect(text.match(/^\d\. \*\*\w+/gm)).toEqual(['1. **Quote', '2. **Send', '3. **Follow'])
  })
})
