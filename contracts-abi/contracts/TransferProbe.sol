// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {SafeMoves} from "./SafeMoves.sol";

/// @notice Never deployed: a node runs this code in the place of an account (`eth_call` with a state override), to tell
/// what a transfer of that account would bring its recipient.
contract TransferProbe {
    error TransferFailed();

    /// @return gained what the recipient holds more than before
    function arriving(address token, address to, uint256 amount) external returns (uint256 gained) {
        uint256 before = _balanceOf(token, to);
        if (!SafeMoves.tryTransfer(token, to, amount)) revert TransferFailed();
        return _balanceOf(token, to) - before;
    }

    function _balanceOf(address token, address owner) private view returns (uint256 amount) {
        bool known;
        (known, amount) = SafeMoves.readWord(token, abi.encodeWithSelector(0x70a08231, owner));
        if (!known) revert TransferFailed();
    }
}
