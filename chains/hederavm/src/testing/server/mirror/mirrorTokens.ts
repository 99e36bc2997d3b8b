import type { RestRoutes } from '@causeway/core/testing'
import type { proto } from '@hiero-ledger/proto'
import { type Token, tokenIn } from '../../engine/state/entries.js'
import { bigintOf, idText, timeText } from '../../engine/values.js'
import { invalidParameter, NOT_FOUND, parseId } from './mirrorPages.js'
import { keyJson } from './mirrorValues.js'
import type { MirrorView } from './mirrorView.js'

const feeJson = ({ feeCollectorAccountId, allCollectorsAreExempt }: proto.ICustomFee) => ({
  all_collectors_are_exempt: allCollectorsAreExempt === true,
  collector_account_id: idText(feeCollectorAccountId?.accountNum),
})

const fixedJson = (fee: proto.ICustomFee) => ({
  ...feeJson(fee),
  amount: bigintOf(fee.fixedFee?.amount),
  denominating_token_id: fee.fixedFee?.denominatingTokenId ? idText(fee.fixedFee.denominatingTokenId.tokenNum) : null,
})

const fractionalJson = (fee: proto.ICustomFee, token: string) => {
  const { fractionalAmount, maximumAmount, minimumAmount, netOfTransfers } = fee.fractionalFee ?? {}
  const most = bigintOf(maximumAmount)
  return {
    ...feeJson(fee),
    amount: {
      numerator: bigintOf(fractionalAmount?.numerator),
      denominator: bigintOf(fractionalAmount?.denominator),
    },
    denominating_token_id: token,
    maximum: most === 0n ? null : most,
    minimum: bigintOf(minimumAmount),
    net_of_transfers: netOfTransfers === true,
  }
}

const tokenJson = (token: Token) => {
  const { id, made, fees } = token
  return {
    ...{
      token_id: id,
      name: made.name ?? '',
      symbol: made.symbol ?? '',
      memo: made.memo ?? '',
      type: 'FUNGIBLE_COMMON',
    },
    ...{
      decimals: String(made.decimals ?? 0),
      treasury_account_id: token.treasury,
      total_supply: String(token.supply),
    },
    initial_supply: String(bigintOf(made.initialSupply)),
    max_supply: String(bigintOf(made.maxSupply)),
    supply_type: made.supplyType === 1 ? 'FINITE' : 'INFINITE',
    ...{ deleted: token.deleted, freeze_default: made.freezeDefault === true, pause_status: pauseStatus(token) },
    ...{ admin_key: keyJson(made.adminKey), freeze_key: keyJson(made.freezeKey), kyc_key: keyJson(made.kycKey) },
    ...{ pause_key: keyJson(made.pauseKey), supply_key: keyJson(made.supplyKey), wipe_key: keyJson(made.wipeKey) },
    ...{ fee_schedule_key: keyJson(made.feeScheduleKey), metadata_key: null, metadata: '' },
    custom_fees: {
      created_timestamp: timeText(token.createdAt),
      fixed_fees: fees.filter(({ fixedFee }) => fixedFee).map(fixedJson),
      fractional_fees: fees.filter(({ fractionalFee }) => fractionalFee).map((fee) => fractionalJson(fee, id)),
    },
    ...{ created_timestamp: timeText(token.createdAt), modified_timestamp: timeText(token.modifiedAt) },
    ...{ auto_renew_account: null, auto_renew_period: 7_776_000, expiry_timestamp: null },
  }
}

const pauseStatus = ({ made, paused }: Token): string => {
  if (!made.pauseKey) return 'NOT_APPLICABLE'
  return paused ? 'PAUSED' : 'UNPAUSED'
}

export const tokenRoutes = (mirror: MirrorView): RestRoutes => ({
  'GET /api/v1/tokens/:id': ([text = '']) => {
    const number = parseId(text)
    if (number === null) throw invalidParameter('tokenId')
    const token = tokenIn(mirror.state, `0.0.${number}`)
    if (token === null) throw NOT_FOUND
    return tokenJson(token)
  },
})
