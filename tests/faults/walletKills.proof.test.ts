import { SHORT_WALK } from './killPlaces.js'
import { testWalletKills } from './walletKills.js'

testWalletKills(SHORT_WALK.walletOrders)
