// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice Never deployed: a node runs its constructor (`eth_call` without a recipient) to ask a contract wallet whether a
/// signature is its own (ERC-1271), one that is not deployed yet too (ERC-6492). What comes back is one word, whatever
/// the wallet does: of its answer 32 bytes are looked at, of a reason to revert nothing, and its gas is limited.
contract SignatureProbe {
    bytes4 private constant ERC1271_MAGIC = 0x1626ba7e;

    uint256 private constant INVALID = 0;
    uint256 private constant VALID = 1;
    /// @dev No contract is at the wallet's address, nor came there.
    uint256 private constant ABSENT = 2;

    /// @param factory what `factoryCall` goes to where the wallet is not there yet, or does not know the signature yet; zero: nothing
    /// @param gasLimit most gas of each call
    constructor(
        address wallet,
        bytes32 digest,
        bytes memory signature,
        address factory,
        bytes memory factoryCall,
        uint256 gasLimit
    ) {
        bytes memory question = abi.encodeWithSelector(ERC1271_MAGIC, digest, signature);
        uint256 answer = _ask(wallet, question, gasLimit);
        if (answer != VALID && factory != address(0) && _call(factory, factoryCall, gasLimit)) {
            answer = _ask(wallet, question, gasLimit);
        }
        assembly ("memory-safe") {
            mstore(0, answer)
            return(0, 0x20)
        }
    }

    /// @dev Only the magic value alone in one word counts: an answer of another length, or with anything behind it, is none.
    function _ask(address wallet, bytes memory question, uint256 gasLimit) private view returns (uint256) {
        if (wallet.code.length == 0) return ABSENT;
        bool accepted;
        bytes32 word = ERC1271_MAGIC;
        assembly ("memory-safe") {
            accepted := staticcall(gasLimit, wallet, add(question, 0x20), mload(question), 0, 0x20)
            accepted := and(accepted, and(eq(returndatasize(), 0x20), eq(mload(0), word)))
        }
        return accepted ? VALID : INVALID;
    }

    function _call(address to, bytes memory data, uint256 gasLimit) private returns (bool ok) {
        assembly ("memory-safe") {
            ok := call(gasLimit, to, 0, add(data, 0x20), mload(data), 0, 0)
        }
    }
}
