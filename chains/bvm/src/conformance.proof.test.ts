import { testConformance } from './conformance.test.support.js'

testConformance('esplora')
