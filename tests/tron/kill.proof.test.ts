import { testTronKills } from './tronKills.js'

// No payment can replace another: a host that signed one must send the stored bytes and no others until they expire.
testTronKills(['fill.store.after', 'fill.broadcast.after', 'refund.broadcast.after', 'withdraw.store.after'])
