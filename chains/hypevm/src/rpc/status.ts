import type { BlockRef } from '@causeway/core/chain'
import { answerOf } from '@causeway/core/chain-kit'
import { Type } from '@sinclair/typebox'
import { type Asked, askInfo } from './exchangeNode.js'
import { MILLISECONDS } from './fields.js'

const readStatus = answerOf(Type.Object({ time: MILLISECONDS }))

/** The millisecond of the exchange as a block: transfers of one time are final together (chains.md hypevm 4). */
export const blockAt = (time: number, hash = `0x${time.toString(16).padStart(64, '0')}`): BlockRef => ({
  ...{ height: BigInt(time), hash, time: Math.floor(time / 1000) },
})

/** Time of the newest block, Unix milliseconds. @throws ServiceError */
export const askTime = async (asked: Asked): Promise<number> =>
  (await askInfo(asked, 'exchangeStatus', readStatus)).time

/** The newest millisecond up to which an API server surely lists everything: its ledger follows its clock. */
export const askHead = async (asked: Asked, lagMs: number): Promise<BlockRef> =>
  blockAt(Math.max((await askTime(asked)) - lagMs, 0))
