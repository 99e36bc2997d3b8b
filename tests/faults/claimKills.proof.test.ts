import { testClaimKills } from './claimKills.js'
import { SHORT_WALK } from './killPlaces.js'

testClaimKills(SHORT_WALK.claims)
