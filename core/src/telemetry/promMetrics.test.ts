import { Registry } from 'prom-client'
import { describe, expect, it } from 'vitest'
import type { MetricSource, Sample } from './metrics.js'
import { PromMetrics } from './promMetrics.js'

const seriesOf = (text: string, name: string): string[] =>
  text.split('\n').filter((line) => line.startsWith(`${name}{`))

const source = (read: () => Promise<readonly Sample[]>, name = 'test'): MetricSource => ({
  name,
  gauges: [{ name: 'x_depth', help: 'x', labels: { chain: ['a', 'b'] } }],
  read,
})
const sample = (chain: string, value: number): Sample => ({ gauge: 'x_depth', labels: { chain }, value })

const HOSTILE = [
  ...[
    '',
    '"',
    '\\',
    '\n',
    'a"} 1\nforged 1',
    '__proto__',
    'constructor',
    'A',
    ' a',
    'a ',
    '0',
    'toString',
    '\u0000',
    '💥',
  ],
  ...Array.from({ length: 500 }, (_, at) => `0x${at.toString(16).padStart(64, '0')}`),
]

describe('metrics have bounded labels', () => {
  it('shows whatever was not declared as other: hostile values make one series more and no line of their own', async () => {
    const metrics = new PromMetrics({ registry: new Registry() })
    const labels = { chain: ['a', 'b'], result: ['ok'] }
    const counter = metrics.counter({ name: 'x_total', help: 'x', labels })
    const histogram = metrics.histogram({ name: 'x_seconds', help: 'x', labels: { chain: ['a'] }, buckets: [1] })
    metrics.addSource(source(async () => HOSTILE.map((chain, at) => sample(chain, at))))
    for (const word of HOSTILE) {
      counter.add({ chain: word, result: word })
      histogram.observe({ chain: word }, 1)
    }
    const text = await metrics.text()
    expect(seriesOf(text, 'x_total')).toEqual([
      'x_total{chain="a",result="ok"} 0',
      'x_total{chain="b",result="ok"} 0',
      `x_total{chain="other",result="other"} ${HOSTILE.length}`,
    ])
    expect(seriesOf(text, 'x_seconds_count')).toHaveLength(2)
    expect(seriesOf(text, 'x_depth')).toEqual([`x_depth{chain="other"} ${HOSTILE.length - 1}`])
    expect(text).not.toContain('forged')
  })

  it('one name is one metric, whoever declares it', async () => {
    const metrics = new PromMetrics({ registry: new Registry() })
    const declare = () => metrics.counter({ name: 'x_total', help: 'x', labels: { chain: ['a'] } })
    declare().add({ chain: 'a' })
    declare().add({ chain: 'a' }, 2)
    expect(await metrics.text()).toContain('x_total{chain="a"} 3')
  })
})

describe('sources of gauges', () => {
  it('are read once for all who ask within a while, and old series go', async () => {
    let reads = 0
    const metrics = new PromMetrics({ registry: new Registry(), keepMs: 60_000 })
    metrics.addSource(source(async () => [sample(reads++ === 0 ? 'a' : 'b', 1)]))
    const texts = await Promise.all([metrics.text(), metrics.text(), metrics.text()])
    expect(reads).toBe(1)
    expect(seriesOf(texts[2] ?? '', 'x_depth')).toEqual(['x_depth{chain="a"} 1'])
    const eager = new PromMetrics({ registry: new Registry(), keepMs: 0 })
    let chain = 'a'
    eager.addSource(source(async () => [sample(chain, 1)]))
    await eager.text()
    chain = 'b'
    expect(seriesOf(await eager.text(), 'x_depth')).toEqual(['x_depth{chain="b"} 1'])
  })

  it('that fail or take too long are absent and said to be down; the rest is served', async () => {
    const metrics = new PromMetrics({ registry: new Registry(), keepMs: 0, timeoutMs: 50 })
    metrics.addSource(source(() => Promise.reject(new Error('postgres://secret')), 'failing'))
    metrics.addSource({ ...source(() => new Promise(() => undefined), 'silent'), gauges: [] })
    metrics.counter({ name: 'x_total', help: 'x', labels: {} }).add({})
    const text = await metrics.text()
    expect(seriesOf(text, 'causeway_metric_source_up')).toEqual([
      'causeway_metric_source_up{source="failing"} 0',
      'causeway_metric_source_up{source="silent"} 0',
    ])
    expect(seriesOf(text, 'x_depth')).toEqual([])
    expect(text).toContain('x_total 1')
    expect(text).not.toContain('secret')
  })
})
