// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {CallRunner} from "./CallRunner.sol";
import {Router} from "./Router.sol";
import {SafeMoves} from "./SafeMoves.sol";

/// @notice The contract through which a solver pays out on a destination chain; its events prove the fill.
/// Extra bytes at the end of the calldata are ignored, so they can carry the order id.
/// @dev The router only ever pulls tokens of its caller and never calls an address with data that somebody else
/// chose, so an allowance given to it is of use to nobody but its giver. It keeps nothing: payments pass it by, and
/// stray native currency (forced in) goes out with the next payment.
contract FillRouter is Router {
    /// @notice Pays the attached value to `to`.
    /// @param amount must equal the attached value
    /// @param gasLimit most gas the recipient may use (a plain account needs none; the stipend comes on top)
    function fillNative(address payable to, uint256 amount, uint256 gasLimit) external payable nonReentrant {
        _checkRecipient(to);
        if (msg.value != amount) revert ValueMismatch();
        (bool paid, bytes memory reason) = SafeMoves.call(to, amount, gasLimit, "");
        if (!paid) revert PaymentFailed(reason);
        emit SolverNativeTransfer(to, amount);
        _returnStray();
    }

    /// @notice Moves `amount` of `token` from the caller straight to `to`.
    function fillErc20(address token, address to, uint256 amount) external nonReentrant {
        _checkRecipient(to);
        _deliver(token, to, amount);
        _returnStray();
    }

    /// @notice Runs the calls of an order, all or none, with the attached value and `tokenAmount` of the caller's
    /// `token` at their disposal. Everything left of both goes to `sweepTo`.
    /// @param token zero if the calls need no token
    function fillCalls(CallRunner.Call[] calldata calls, address token, uint256 tokenAmount, address payable sweepTo)
        external
        payable
        nonReentrant
    {
        _checkRecipient(sweepTo);
        CallRunner runner = _cloneRunner(sweepTo);
        if (tokenAmount > 0) _deliver(token, address(runner), tokenAmount);
        _passStrayToken(token, address(runner));
        runner.run{value: address(this).balance}(calls, token);
        _announceCalls(calls);
        _returnStray();
    }

    /// @dev All or nothing: of a token that takes a fee too little would arrive.
    function _deliver(address token, address to, uint256 amount) private {
        if (_pull(token, to, amount) < amount) revert TransferFromFailed();
    }

    /// @dev Only money forced in by others can be here. A caller that cannot take it must not be stopped by it.
    function _returnStray() private {
        uint256 stray = address(this).balance;
        if (stray > 0) SafeMoves.call(msg.sender, stray, gasleft(), "");
    }

    /// @dev Tokens somebody sent here by mistake leave with the order's leftovers; failing to move them stops nothing.
    function _passStrayToken(address token, address runner) private {
        if (token == address(0)) return;
        (bool known, uint256 stray) = SafeMoves.readWord(token, abi.encodeWithSelector(0x70a08231, address(this)));
        if (known && stray > 0) SafeMoves.tryTransfer(token, runner, stray);
    }
}
