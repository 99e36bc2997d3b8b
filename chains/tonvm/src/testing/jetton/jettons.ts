import { type Address, beginCell, Cell, contractAddress, type Message, type StateInit } from '@ton/core'
import { GIVER, internalMessage } from '../engine/internalMessage.js'
import { HOSTILE_CODE, MINTER_CODE, WALLET_CODE } from './jettonCode.js'
import { contentCell, type JettonMetadata } from './jettonMessages.js'

/** A contract that a message deploys. */
export interface Deployment {
  readonly address: Address
  readonly message: Message
}

/** Nanotons that a new contract keeps for its rent. */
const DEPLOY_VALUE = 1_000_000_000n

/** A jetton whose admin is the network, which mints for every `fund`. */
export const jettonMinter = (
  metadata: JettonMetadata,
  { admin = GIVER, walletCode = WALLET_CODE }: { readonly admin?: Address; readonly walletCode?: string } = {},
): Deployment => {
  const data = beginCell()
    .storeCoins(0)
    .storeAddress(admin)
    .storeRef(contentCell(metadata))
    .storeRef(Cell.fromBase64(walletCode))
    .endCell()
  return deploymentOf({ code: Cell.fromBase64(MINTER_CODE), data })
}

/** A minter that copies the metadata of another one, calls itself the wallet of every owner, and notifies of transfers without a balance. */
export const hostileJetton = (metadata: JettonMetadata): Deployment => {
  const data = beginCell().storeRef(contentCell(metadata)).storeRef(Cell.fromBase64(WALLET_CODE)).endCell()
  return deploymentOf({ code: Cell.fromBase64(HOSTILE_CODE), data })
}

const deploymentOf = (init: StateInit): Deployment => {
  const address = contractAddress(0, init)
  return { address, message: { ...internalMessage(GIVER, address, DEPLOY_VALUE), init } }
}
