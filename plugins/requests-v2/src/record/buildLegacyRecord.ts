import type { RecordContext, RecordFacts } from '@causeway/core/plugin'
import { buildV2Record } from './buildV2Record.js'
import type { RecordView } from './recordView.js'

/** Words of the first version (wire.md 3.4, B.1). */
const WORDS: Readonly<Record<RecordFacts['status'], string>> = {
  waiting: 'received',
  depositing: 'depositing',
  pending: 'pending',
  submitted: 'pending',
  success: 'success',
  failure: 'failure',
  refund: 'fallback',
}

type V2Data = ReturnType<typeof buildV2Record>['data']

const legacyTx = ({ fee, data, stateChanges, hash, type, chainId, timestamp }: V2Data['inTxs'][number]) => ({
  fee,
  data,
  stateChanges,
  hash,
  type,
  chainId,
  timestamp,
})

const legacyFees = ({ gas, fixed, price }: V2Data['fees']) => ({ gas, fixed, price })

const legacyMetadata = ({ sender, recipient, currencyIn, currencyOut, rate }: V2Data['metadata']) => ({
  sender,
  recipient,
  currencyIn,
  currencyOut,
  rate,
})

/** The record of a request as `GET /requests` shows it (wire.md 3.4); pure. */
export const buildLegacyRecord = (facts: RecordFacts, context: RecordContext, view: RecordView) => {
  const { id, user, recipient, createdAt, updatedAt, data } = buildV2Record(facts, context, view)
  return {
    id,
    status: WORDS[facts.status],
    user,
    recipient,
    createdAt,
    updatedAt,
    data: {
      fees: legacyFees(data.fees),
      feesUsd: legacyFees(data.feesUsd),
      inTxs: data.inTxs.map(legacyTx),
      outTxs: data.outTxs.map(legacyTx),
      currency: data.currency,
      feeCurrency: data.feeCurrency,
      appFees: data.appFees.map(({ recipient: to, amount }) => ({ recipient: to, amount })),
      metadata: legacyMetadata(data.metadata),
      price: data.price,
      usesExternalLiquidity: data.usesExternalLiquidity,
      timeEstimate: data.timeEstimate,
    },
  }
}
