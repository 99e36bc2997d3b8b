import { TronWeb } from 'tronweb'

/**
 * The floor of a payout on Tron: asks a node of the origin for blocks, and pays for each call of a token that ends with an id at once, with
 * `tronweb`. Keeps no state, checks nothing. Takes one JSON argument; prints `ready` when it asks.
 */
interface Settings {
  readonly origin: string
  readonly destination: string
  /** Hex address. */
  readonly token: string
  readonly pollMs: number
  readonly privateKey: string
  readonly payer: string
  readonly recipient: string
  readonly sun: number
}

interface Block {
  readonly block_header: { readonly raw_data: { readonly number?: number } }
  readonly transactions?: readonly {
    readonly raw_data: {
      readonly contract: readonly {
        readonly parameter: { readonly value: { readonly contract_address?: string; readonly data?: string } }
      }[]
    }
  }[]
}

const TRANSFER_DIGITS = 136
const ID_DIGITS = 64
const PAGE = 99

// CAST: written by the benchmark.
const settings = JSON.parse(process.argv[2] ?? '{}') as Settings
const client = new TronWeb({ fullHost: settings.destination, privateKey: settings.privateKey.replace(/^0x/, '') })

const pay = async (id: string): Promise<void> => {
  const { transactionBuilder, trx } = client
  const transfer = await transactionBuilder.sendTrx(settings.recipient, settings.sun, settings.payer)
  const named = await transactionBuilder.addUpdateData(transfer, id, 'hex', { txLocal: true })
  await trx.sendRawTransaction(await trx.sign(named))
}

const post = async <Answer>(path: string, body: object): Promise<Answer> => {
  const response = await fetch(`${settings.origin}/wallet/${path}`, { method: 'POST', body: JSON.stringify(body) })
  // CAST: the caller names the shape of the HTTP API.
  return (await response.json()) as Answer
}

const heightOf = ({ block_header: { raw_data } }: Block): number => raw_data.number ?? 0

let next = heightOf(await post<Block>('getnowblock', {})) + 1
const ask = async (): Promise<void> => {
  const { block = [] } = await post<{ readonly block?: readonly Block[] }>('getblockbylimitnext', {
    startNum: next,
    endNum: next + PAGE,
  })
  for (const { parameter } of block.flatMap(({ transactions = [] }) =>
    transactions.flatMap(({ raw_data }) => raw_data.contract),
  )) {
    const { contract_address, data = '' } = parameter.value
    if (contract_address === settings.token && data.length === TRANSFER_DIGITS + ID_DIGITS)
      void pay(data.slice(TRANSFER_DIGITS))
  }
  next += block.length
}

setInterval(() => void ask(), settings.pollMs)
console.log('ready now')
