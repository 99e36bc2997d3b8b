// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice Code for an account with a key (EIP-7702): it runs a batch that its own key signed, whoever sends it.
contract BatchExecutor {
    struct Call {
        address to;
        uint256 value;
        bytes data;
    }

    error WrongSignature();
    error WrongNonce(uint256 expected);

    bytes32 private constant DOMAIN = keccak256(
        "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract,bytes32 salt)"
    );
    bytes32 private constant CALL = keccak256("Call(address to,uint256 value,bytes data)");
    bytes32 private constant BATCH =
        keccak256("Batch(Call[] calls,uint256 nonce)Call(address to,uint256 value,bytes data)");

    uint256 public nonce;

    receive() external payable {}

    /// @param wrapped the signature and data for nobody, as two byte strings
    function execute(Call[] calldata calls, uint256 used, bytes calldata wrapped) external {
        if (used != nonce) revert WrongNonce(nonce);
        nonce = used + 1;
        (bytes memory signature,) = abi.decode(wrapped, (bytes, bytes));
        if (_signer(_digest(calls, used), signature) != address(this)) revert WrongSignature();
        for (uint256 i; i < calls.length; ++i) {
            (bool done, bytes memory answer) = calls[i].to.call{value: calls[i].value}(calls[i].data);
            if (!done) {
                assembly ("memory-safe") {
                    revert(add(answer, 32), mload(answer))
                }
            }
        }
    }

    function _digest(Call[] calldata calls, uint256 used) private view returns (bytes32) {
        bytes32[] memory hashes = new bytes32[](calls.length);
        for (uint256 i; i < calls.length; ++i) {
            hashes[i] = keccak256(abi.encode(CALL, calls[i].to, calls[i].value, keccak256(calls[i].data)));
        }
        bytes32 batch = keccak256(abi.encode(BATCH, keccak256(abi.encodePacked(hashes)), used));
        bytes32 domain =
            keccak256(abi.encode(DOMAIN, keccak256("BatchExecutor"), keccak256("1"), block.chainid, this, bytes32(0)));
        return keccak256(abi.encodePacked(hex"1901", domain, batch));
    }

    function _signer(bytes32 digest, bytes memory signature) private pure returns (address) {
        if (signature.length != 65) revert WrongSignature();
        bytes32 r;
        bytes32 s;
        uint8 v;
        assembly ("memory-safe") {
            r := mload(add(signature, 32))
            s := mload(add(signature, 64))
            v := byte(0, mload(add(signature, 96)))
        }
        return ecrecover(digest, v, r, s);
    }
}
