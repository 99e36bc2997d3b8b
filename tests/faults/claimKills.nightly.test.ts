import { testClaimKills } from './claimKills.js'
import { EVERY_PLACE } from './killPlaces.js'

testClaimKills(EVERY_PLACE.claims)
