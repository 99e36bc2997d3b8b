import { CallError } from '@causeway/core/testing'

export const invalidParams = (message: string): CallError => new CallError(-32602, message)
