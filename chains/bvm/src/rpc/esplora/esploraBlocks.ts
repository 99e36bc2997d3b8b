import { setImmediate } from 'node:timers/promises'
import { HttpTransport, type HttpTransportDeps, strangeAnswer } from '@causeway/core/chain-kit'
import type { HeightRange, WholeBlock } from '../bitcoinSource.js'
import { parsedBlock, provenBlock, wholeBlockOf } from '../core/coreBlocks.js'

/** Whole blocks of an Esplora: one question for each, whatever it holds, and its hash proves the answer. */
export class EsploraBlocks {
  readonly #http: HttpTransport

  constructor(deps: HttpTransportDeps) {
    this.#http = new HttpTransport(deps)
  }

  /** @param hashAt hash of the best chain at a height, null above the tip */
  async *read(
    { from, to }: HeightRange,
    hashAt: (height: bigint) => Promise<string | null>,
  ): AsyncGenerator<WholeBlock> {
    for (let height = from; height <= to; height++) {
      const hash = await hashAt(height)
      if (hash === null) return
      const { status, body } = await this.#http.send({ path: `/block/${hash}/raw`, repeatable: true })
      if (status !== 200) throw strangeAnswer('no bytes of a block')
      // Reading a full block takes a while: others get their turn.
      await setImmediate()
      yield wholeBlockOf(provenBlock(parsedBlock(body), hash), height)
    }
  }

  close(): void {
    this.#http.close()
  }
}
