import { EVERY_PLACE } from '../faults/killPlaces.js'
import { testSharedKills } from './sharedKills.js'

testSharedKills(EVERY_PLACE.sharedFills, { restored: true })
