// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice Outgoing calls and token movements that a hostile callee cannot turn against the caller:
/// returned data is copied up to a fixed size, and a token counts as moved only if it says so or says nothing.
library SafeMoves {
    /// @notice Longest piece of returned data that is kept, in bytes (a multiple of 32).
    uint256 internal constant MAX_RETURN_DATA = 4096;

    /// @notice Calls `to` and keeps at most MAX_RETURN_DATA bytes of the answer or revert reason.
    function call(address to, uint256 value, uint256 gasLimit, bytes memory data)
        internal
        returns (bool ok, bytes memory returned)
    {
        assembly ("memory-safe") {
            ok := call(gasLimit, to, value, add(data, 0x20), mload(data), 0, 0)
            let size := returndatasize()
            if gt(size, MAX_RETURN_DATA) { size := MAX_RETURN_DATA }
            returned := mload(0x40)
            mstore(returned, size)
            returndatacopy(add(returned, 0x20), 0, size)
            mstore(0x40, add(returned, and(add(size, 0x3f), not(0x1f))))
        }
    }

    /// @notice `transferFrom` on any ERC-20. False if the token reverts, answers false, or is no contract.
    function tryTransferFrom(address token, address from, address to, uint256 amount) internal returns (bool) {
        return _tokenCall(token, abi.encodeWithSelector(0x23b872dd, from, to, amount));
    }

    /// @notice `transfer` on any ERC-20. False if the token reverts, answers false, or is no contract.
    function tryTransfer(address token, address to, uint256 amount) internal returns (bool) {
        return _tokenCall(token, abi.encodeWithSelector(0xa9059cbb, to, amount));
    }

    /// @notice `approve` on any ERC-20. False if the token reverts, answers false, or is no contract.
    function tryApprove(address token, address spender, uint256 amount) internal returns (bool) {
        return _tokenCall(token, abi.encodeWithSelector(0x095ea7b3, spender, amount));
    }

    /// @notice Reads one word from a view function. `ok` is false unless a contract answered at least 32 bytes.
    function readWord(address target, bytes memory data) internal view returns (bool ok, uint256 word) {
        assembly ("memory-safe") {
            ok := staticcall(gas(), target, add(data, 0x20), mload(data), 0, 0x20)
            ok := and(ok, gt(returndatasize(), 0x1f))
            if ok { word := mload(0) }
        }
    }

    function _tokenCall(address token, bytes memory data) private returns (bool ok) {
        if (token.code.length == 0) return false;
        assembly ("memory-safe") {
            ok := call(gas(), token, 0, add(data, 0x20), mload(data), 0, 0x20)
            // Some tokens return nothing; any answer other than exactly `true` is a failure.
            if returndatasize() { ok := and(ok, and(gt(returndatasize(), 0x1f), eq(mload(0), 1))) }
        }
    }
}
