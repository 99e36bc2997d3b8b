import { testHederaKills } from './hederaKills.js'

// No payment can replace another here: a host that signed one must send the stored bytes and no others.
testHederaKills(['fill.store.after', 'fill.broadcast.after', 'refund.broadcast.after', 'withdraw.store.after'])
