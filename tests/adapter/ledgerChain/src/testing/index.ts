export { LedgerEngine } from './ledgerEngine.js'
export { startLedgerHarness } from './ledgerHarness.js'
export { type LocalLedger, type LocalLedgerOptions, startLocalLedger } from './localLedger.js'
export { freshAddress, LedgerWallet } from './wallet.js'
