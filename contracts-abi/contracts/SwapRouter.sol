// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {CallRunner} from "./CallRunner.sol";
import {Router} from "./Router.sol";
import {SafeMoves} from "./SafeMoves.sol";

interface IDepository {
    function depositNative(address depositor, bytes32 id) external payable;
    function depositErc20(address depositor, address token, uint256 amount, bytes32 id) external;
}

/// @notice Exchanges currencies in the transaction of a deposit, of a fill, or for a user alone. Extra bytes at the end
/// of the calldata are ignored, so they can carry an order id.
/// @dev The calls of a swap are written by others and only ever run inside a fresh runner, so an allowance given to
/// this contract is of use to nobody but its giver. Whatever is paid out is measured as a difference of balances: money
/// that lay here before is nobody's output, and nothing of a swap stays here.
contract SwapRouter is Router {
    /// @param calls run by the runner that holds the input; they leave the output there or send it to this contract
    /// @param tokenIn what goes in, all of it from the caller; zero for the native currency
    /// @param amountIn all that is taken of the caller
    /// @param tokenOut zero for the native currency
    /// @param minimumOut least that must arrive where the output goes
    /// @param deadline last second at which it may run
    /// @param leftoverTo gets input and native currency that the calls leave
    struct Swap {
        CallRunner.Call[] calls;
        address tokenIn;
        uint256 amountIn;
        address tokenOut;
        uint256 minimumOut;
        uint256 deadline;
        address payable leftoverTo;
    }

    /// @param got what arrived
    error TooLittleReceived(uint256 got);
    error Expired();
    error SameCurrency();
    error TransferFailed();
    error DepositFailed();
    error UnexpectedPayment();

    /// @param amountIn what was taken of `from`: the fee, and what arrived of the rest
    /// @param amountOut what arrived at `recipient`
    event SwapExecuted(
        bytes32 id,
        address from,
        address recipient,
        address tokenIn,
        uint256 amountIn,
        address tokenOut,
        uint256 amountOut
    );

    /// @notice Exchanges may pay native currency here while a swap runs, at no other time.
    receive() external payable {
        if (!locked) revert UnexpectedPayment();
    }

    /// @notice Swaps, and deposits all of the output in `depository` for `depositor` under the order id.
    function swapAndDeposit(Swap calldata swap, address depository, address depositor, bytes32 id)
        external
        payable
        nonReentrant
    {
        _checkRecipient(depository);
        _checkValue(swap, 0);
        (uint256 got,) = _swap(swap, swap.amountIn);
        uint256 before = _balanceOf(swap.tokenOut, depository);
        _deposit(swap.tokenOut, got, depository, depositor, id);
        _checkArrived(swap, _balanceOf(swap.tokenOut, depository) - before);
    }

    /// @notice Swaps for `recipient` on this chain alone; the event proves what was done for `id`.
    /// @param feeAmount part of the input that goes to `feeRecipient` before the swap
    function swapTo(
        Swap calldata swap,
        address payable recipient,
        bytes32 id,
        uint256 feeAmount,
        address payable feeRecipient
    ) external payable nonReentrant {
        _checkRecipient(recipient);
        _checkValue(swap, 0);
        uint256 input = swap.amountIn - feeAmount;
        if (feeAmount > 0) _payFee(swap.tokenIn, feeAmount, feeRecipient);
        (uint256 got, uint256 arrived) = _swap(swap, input);
        uint256 paid = _pay(swap, recipient, got);
        emit SwapExecuted(id, msg.sender, recipient, swap.tokenIn, feeAmount + arrived, swap.tokenOut, paid);
    }

    /// @notice Fills an order with another currency than the solver holds: the output goes to `recipient`, or is at the
    /// disposal of `calls`, which run all or none and whose leftovers go to `recipient`.
    /// @param topup native currency for `recipient` beside the output; part of the attached value
    function fillSwap(Swap calldata swap, CallRunner.Call[] calldata calls, address payable recipient, uint256 topup)
        external
        payable
        nonReentrant
    {
        _checkRecipient(recipient);
        _checkValue(swap, topup);
        (uint256 got,) = _swap(swap, swap.amountIn);
        if (calls.length == 0) {
            _pay(swap, recipient, got);
            if (swap.tokenOut == address(0)) emit SolverNativeTransfer(recipient, got);
        } else {
            _runCalls(swap, calls, recipient, got);
        }
        if (topup > 0) {
            _payNative(recipient, topup);
            emit SolverNativeTransfer(recipient, topup);
        }
    }

    function _checkValue(Swap calldata swap, uint256 extra) private view {
        if (block.timestamp > swap.deadline) revert Expired();
        if (swap.tokenIn == swap.tokenOut) revert SameCurrency();
        _checkRecipient(swap.leftoverTo);
        if (msg.value != (swap.tokenIn == address(0) ? swap.amountIn + extra : extra)) revert ValueMismatch();
    }

    /// @dev Afterwards this contract holds the output, and of input and native currency what it held before.
    /// @return got output that arrived here
    /// @return arrived input that the runner had
    function _swap(Swap calldata swap, uint256 input) private returns (uint256 got, uint256 arrived) {
        address tokenIn = swap.tokenIn;
        address tokenOut = swap.tokenOut;
        CallRunner runner = _cloneRunner(swap.leftoverTo);
        uint256 value = tokenIn == address(0) ? input : 0;
        uint256 nativeBefore = address(this).balance - value;
        uint256 inBefore = _balanceOf(tokenIn, address(this));
        uint256 outBefore = tokenOut == address(0) ? nativeBefore : _balanceOf(tokenOut, address(this));
        arrived = tokenIn == address(0) ? input : _pull(tokenIn, address(runner), input);
        runner.exchange{value: value}(swap.calls, tokenIn, tokenOut);
        got = _balanceOf(tokenOut, address(this)) - outBefore;
        // Leftovers that an exchange sent here and not to the runner.
        if (tokenIn != address(0)) {
            uint256 left = _balanceOf(tokenIn, address(this)) - inBefore;
            if (left > 0 && !SafeMoves.tryTransfer(tokenIn, swap.leftoverTo, left)) revert TransferFailed();
        }
        if (tokenOut != address(0)) {
            uint256 left = address(this).balance - nativeBefore;
            if (left > 0) _payNative(swap.leftoverTo, left);
        }
    }

    function _payFee(address token, uint256 amount, address payable recipient) private {
        _checkRecipient(recipient);
        if (token == address(0)) _payNative(recipient, amount);
        else if (!SafeMoves.tryTransferFrom(token, msg.sender, recipient, amount)) revert TransferFromFailed();
    }

    /// @dev The recipient of native currency may pass it on at once, so only of tokens the arrival is measured.
    function _pay(Swap calldata swap, address payable to, uint256 amount) private returns (uint256 arrived) {
        address token = swap.tokenOut;
        if (token == address(0)) {
            _checkArrived(swap, amount);
            _payNative(to, amount);
            return amount;
        }
        uint256 before = _balanceOf(token, to);
        if (!SafeMoves.tryTransfer(token, to, amount)) revert TransferFailed();
        arrived = _balanceOf(token, to) - before;
        _checkArrived(swap, arrived);
    }

    function _runCalls(
        Swap calldata swap,
        CallRunner.Call[] calldata calls,
        address payable recipient,
        uint256 amount
    ) private {
        CallRunner runner = _cloneRunner(recipient);
        bool native = swap.tokenOut == address(0);
        if (native) _checkArrived(swap, amount);
        else _pay(swap, payable(address(runner)), amount);
        runner.run{value: native ? amount : 0}(calls, swap.tokenOut);
        _announceCalls(calls);
    }

    /// @dev The depository is whatever the caller says: it may take the output and nothing else, now and never later.
    function _deposit(address token, uint256 amount, address depository, address depositor, bytes32 id) private {
        if (token == address(0)) {
            IDepository(depository).depositNative{value: amount}(depositor, id);
            return;
        }
        if (!SafeMoves.tryApprove(token, depository, amount)) revert DepositFailed();
        IDepository(depository).depositErc20(depositor, token, amount, id);
        (bool known, uint256 allowed) =
            SafeMoves.readWord(token, abi.encodeWithSelector(0xdd62ed3e, address(this), depository));
        if (!known || (allowed > 0 && !SafeMoves.tryApprove(token, depository, 0))) revert DepositFailed();
    }

    function _checkArrived(Swap calldata swap, uint256 amount) private pure {
        if (amount < swap.minimumOut) revert TooLittleReceived(amount);
    }

    function _payNative(address payable to, uint256 amount) private {
        (bool paid, bytes memory reason) = SafeMoves.call(to, amount, gasleft(), "");
        if (!paid) revert PaymentFailed(reason);
    }
}
