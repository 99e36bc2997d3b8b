// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {SafeMoves} from "./SafeMoves.sol";

/// @notice What can stop the calls of an order. The router passes these errors on unchanged.
interface CallRunnerErrors {
    error Unauthorized();
    error Running();
    /// @param index which call failed
    /// @param reason what it answered, cut at 4096 bytes
    error CallFailed(uint256 index, bytes reason);
    /// @notice As `CallFailed`, of the calls that make a swap.
    error SwapFailed(uint256 index, bytes reason);
    /// @param token zero for the native currency
    error SweepFailed(address token);
}

/// @notice Runs the calls of one order. The router makes a fresh minimal clone for every fill, because an order's
/// calls are written by strangers: a clone has no allowances from solvers, and approvals that one order leaves behind
/// concern no other order.
/// @dev A clone carries the account that gets all leftovers as the last 20 bytes of its code.
contract CallRunner is CallRunnerErrors {
    struct Call {
        address to;
        bytes data;
        uint256 value;
    }

    /// @dev Length of a minimal proxy; the sweep account follows.
    uint256 private constant PROXY_LENGTH = 45;

    address private immutable ROUTER = msg.sender;

    bool private transient running;

    /// @notice Calls may pay native currency back; it is swept when they are done.
    receive() external payable {}

    /// @notice Runs all calls in order or none, then sends what is left to the sweep account.
    function run(Call[] calldata calls, address token) external payable {
        (bool done, uint256 index, bytes memory reason) = _runAll(calls);
        if (!done) revert CallFailed(index, reason);
        sweep(token);
    }

    /// @notice Runs the calls of a swap in order or none, then sends all of `tokenOut` that is here to the router and
    /// the rest to the sweep account. Zero addresses mean the native currency.
    function exchange(Call[] calldata calls, address tokenIn, address tokenOut) external payable {
        (bool done, uint256 index, bytes memory reason) = _runAll(calls);
        if (!done) revert SwapFailed(index, reason);
        uint256 got = tokenOut == address(0) ? address(this).balance : _balanceOf(tokenOut);
        if (got > 0) {
            bool moved;
            if (tokenOut == address(0)) (moved,) = SafeMoves.call(ROUTER, got, gasleft(), "");
            else moved = SafeMoves.tryTransfer(tokenOut, ROUTER, got);
            if (!moved) revert SweepFailed(tokenOut);
        }
        sweep(tokenIn);
    }

    /// @dev Whoever gets `done` as false must revert.
    function _runAll(Call[] calldata calls) private returns (bool done, uint256 index, bytes memory reason) {
        if (msg.sender != ROUTER) revert Unauthorized();
        running = true;
        for (; index < calls.length; ++index) {
            Call calldata item = calls[index];
            (done, reason) = SafeMoves.call(item.to, item.value, gasleft(), item.data);
            if (!done) return (false, index, reason);
        }
        running = false;
        done = true;
    }

    /// @notice Sends all native currency and all of `token` (zero: none) to the sweep account. Open to everybody,
    /// so that a token which the fill did not name can be rescued afterwards.
    function sweep(address token) public {
        if (running) revert Running();
        address to = sweepTo();
        if (token != address(0)) {
            uint256 left = _balanceOf(token);
            if (left > 0 && !SafeMoves.tryTransfer(token, to, left)) revert SweepFailed(token);
        }
        if (address(this).balance > 0) {
            (bool paid,) = SafeMoves.call(to, address(this).balance, gasleft(), "");
            if (!paid) revert SweepFailed(address(0));
        }
    }

    function _balanceOf(address token) private view returns (uint256) {
        (bool known, uint256 amount) = SafeMoves.readWord(token, abi.encodeWithSelector(0x70a08231, address(this)));
        if (!known) revert SweepFailed(token);
        return amount;
    }

    /// @notice The account that gets everything the calls leave.
    function sweepTo() public view returns (address account) {
        assembly ("memory-safe") {
            mstore(0, 0)
            extcodecopy(address(), 12, PROXY_LENGTH, 20)
            account := mload(0)
        }
    }
}
