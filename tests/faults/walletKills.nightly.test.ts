import { EVERY_PLACE } from './killPlaces.js'
import { testWalletKills } from './walletKills.js'

testWalletKills(EVERY_PLACE.walletOrders)
