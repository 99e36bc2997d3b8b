export { chainTesting } from './chainTesting.js'
export { hostileJetton, jettonMinter } from './jetton/jettons.js'
export { LocalTon, startLocalTon } from './node/localTon.js'
export type { TonStep } from './tonConnect.js'
