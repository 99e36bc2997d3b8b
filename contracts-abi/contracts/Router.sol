// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {CallRunner, CallRunnerErrors} from "./CallRunner.sol";
import {SafeMoves} from "./SafeMoves.sol";

/// @notice What the contracts share that money passes by: one function at a time, and calls written by others only
/// inside a fresh runner.
abstract contract Router is CallRunnerErrors {
    error Reentrancy();
    error InvalidRecipient();
    error ValueMismatch();
    error PaymentFailed(bytes reason);
    error TransferFromFailed();

    event SolverNativeTransfer(address to, uint256 amount);
    event SolverCallExecuted(address to, bytes data, uint256 amount);

    /// @notice The code that the runners share.
    address public immutable runnerImplementation = address(new CallRunner());

    bool internal transient locked;

    modifier nonReentrant() {
        if (locked) revert Reentrancy();
        locked = true;
        _;
        locked = false;
    }

    function _checkRecipient(address to) internal view {
        if (to == address(0) || to == address(this)) revert InvalidRecipient();
    }

    /// @dev Moves the caller's tokens; a token that takes a fee delivers less.
    function _pull(address token, address to, uint256 amount) internal returns (uint256 arrived) {
        uint256 before = _balanceOf(token, to);
        if (!SafeMoves.tryTransferFrom(token, msg.sender, to, amount)) revert TransferFromFailed();
        return _balanceOf(token, to) - before;
    }

    /// @dev What is no token holds nothing.
    function _balanceOf(address token, address owner) internal view returns (uint256 amount) {
        if (token == address(0)) return owner.balance;
        (, amount) = SafeMoves.readWord(token, abi.encodeWithSelector(0x70a08231, owner));
    }

    /// @notice The proof that the calls of an order ran.
    function _announceCalls(CallRunner.Call[] calldata calls) internal {
        for (uint256 i = 0; i < calls.length; ++i) {
            emit SolverCallExecuted(calls[i].to, calls[i].data, calls[i].value);
        }
    }

    /// @dev A minimal proxy (ERC-1167) of 45 bytes with the sweep account appended. Plain CREATE: every runner gets an
    /// address that never existed before.
    function _cloneRunner(address sweepTo) internal returns (CallRunner) {
        bytes memory code = abi.encodePacked(
            hex"3d604180600a3d3981f3363d3d373d3d3d363d73",
            runnerImplementation,
            hex"5af43d82803e903d91602b57fd5bf3",
            sweepTo
        );
        address runner;
        assembly ("memory-safe") {
            runner := create(0, add(code, 0x20), mload(code))
        }
        assert(runner != address(0));
        return CallRunner(payable(runner));
    }
}
