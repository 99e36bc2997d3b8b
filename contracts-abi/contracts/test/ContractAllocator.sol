// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice A contract allocator (ERC-1271) that accepts the signatures of one key, or answers garbage when told to.
contract ContractAllocator {
    address private immutable KEY;
    bool public broken;

    constructor(address key) {
        KEY = key;
    }

    function setBroken(bool value) external {
        broken = value;
    }

    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4) {
        if (broken) return 0xffffffff;
        address signer =
            ecrecover(digest, uint8(signature[64]), bytes32(signature[:32]), bytes32(signature[32:64]));
        return signer == KEY ? bytes4(0x1626ba7e) : bytes4(0xffffffff);
    }
}
