// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {CallRunner, CallRunnerErrors} from "./CallRunner.sol";
import {SafeMoves} from "./SafeMoves.sol";

/// @notice The contract through which a solver pays out on a destination chain; its events prove the fill.
/// Extra bytes at the end of the calldata are ignored, so they can carry the order id.
/// @dev The router only ever pulls tokens of its caller and never calls an address with data that somebody else
/// chose, so an allowance given to it is of use to nobody but its giver. It keeps nothing: payments pass it by, and
/// stray native currency (forced in) goes out with the next payment.
contract FillRouter is CallRunnerErrors {
    error Reentrancy();
    error InvalidRecipient();
    error ValueMismatch();
    error PaymentFailed(bytes reason);
    error TransferFromFailed();

    event SolverNativeTransfer(address to, uint256 amount);
    event SolverCallExecuted(address to, bytes data, uint256 amount);

    /// @notice The code that the per-fill runners share.
    address public immutable runnerImplementation = address(new CallRunner());

    bool private transient locked;

    modifier nonReentrant() {
        if (locked) revert Reentrancy();
        locked = true;
        _;
        locked = false;
    }

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
        if (!SafeMoves.tryTransferFrom(token, msg.sender, to, amount)) revert TransferFromFailed();
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
        CallRunner runner = CallRunner(payable(_cloneRunner(sweepTo)));
        if (tokenAmount > 0 && !SafeMoves.tryTransferFrom(token, msg.sender, address(runner), tokenAmount)) {
            revert TransferFromFailed();
        }
        _passStrayToken(token, address(runner));
        runner.run{value: address(this).balance}(calls, token);
        for (uint256 i = 0; i < calls.length; ++i) {
            emit SolverCallExecuted(calls[i].to, calls[i].data, calls[i].value);
        }
        _returnStray();
    }

    function _checkRecipient(address to) private view {
        if (to == address(0) || to == address(this)) revert InvalidRecipient();
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

    /// @dev A minimal proxy (ERC-1167) of 45 bytes with the sweep account appended. Plain CREATE: every fill gets an
    /// address that never existed before.
    function _cloneRunner(address sweepTo) private returns (address runner) {
        bytes memory code = abi.encodePacked(
            hex"3d604180600a3d3981f3363d3d373d3d3d363d73",
            runnerImplementation,
            hex"5af43d82803e903d91602b57fd5bf3",
            sweepTo
        );
        assembly ("memory-safe") {
            runner := create(0, add(code, 0x20), mload(code))
        }
        assert(runner != address(0));
    }
}
