/** Form in which the database holds the address of a signing key: hex in lower case, other addresses unchanged. */
export const storedAddress = (address: string): string => (/^0x/i.test(address) ? address.toLowerCase() : address)
