import { AccountId, Client, Hbar, PrivateKey, TransferTransaction } from '@hashgraph/sdk'

/**
 * The floor of a payout on Hedera: asks a mirror node of the origin for payments to an account, and pays each at once with the SDK. Keeps
 * no state, checks nothing. Takes one JSON argument; prints `ready` when it asks.
 */
interface Settings {
  readonly origin: string
  readonly till: string
  readonly pollMs: number
  /** Consensus nodes of the destination, as the SDK takes them. */
  readonly nodes: Readonly<Record<string, string>>
  readonly payer: string
  readonly privateKey: string
  readonly recipient: string
  readonly tinybars: string
}

interface Page {
  readonly transactions: readonly { readonly consensus_timestamp: string; readonly memo_base64: string }[]
}

// CAST: written by the benchmark.
const settings = JSON.parse(process.argv[2] ?? '{}') as Settings
const key = PrivateKey.fromStringECDSA(settings.privateKey)
const client = Client.forNetwork({ ...settings.nodes }).setOperator(AccountId.fromString(settings.payer), key)

const pay = async (memo: string): Promise<void> => {
  const transfer = new TransferTransaction()
    .addHbarTransfer(settings.payer, Hbar.fromTinybars(`-${settings.tinybars}`))
    .addHbarTransfer(settings.recipient, Hbar.fromTinybars(settings.tinybars))
    .setTransactionMemo(memo)
  await transfer.execute(client)
}

let newest = '0.000000000'
const ask = async (): Promise<void> => {
  const query = `account.id=${settings.till}&type=credit&timestamp=gt:${newest}&order=asc&limit=100`
  const answer = await fetch(`${settings.origin}/api/v1/transactions?${query}`)
  // CAST: the shape of the mirror API.
  const { transactions } = (await answer.json()) as Page
  for (const { consensus_timestamp, memo_base64 } of transactions) {
    newest = consensus_timestamp
    const memo = Buffer.from(memo_base64, 'base64').toString()
    if (memo !== '') void pay(memo)
  }
}

setInterval(() => void ask(), settings.pollMs)
console.log('ready now')
