// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Depository} from "./Depository.sol";
import {SafeMoves} from "./SafeMoves.sol";

/// @notice What can stop a sweep. The factory passes these errors on unchanged.
interface DepositReceiverErrors {
    error Unauthorized();
    error SweepFailed(address token);
    /// @notice The token moved nothing into the depository.
    error TransferFromFailed();
    /// @notice The address was swept in this transaction. Pay it in another one.
    error AlreadySwept();
}

/// @notice Stands at a deposit address for the length of one transaction: what was sent there goes into the depository
/// under the order id that the address was made of, and nowhere else, whoever asks for it.
/// @dev It removes itself, so that the address has no code between sweeps: a sender who gives a plain payment no more
/// than its 21000 gas can pay there again. Where a chain keeps the code, the next sweep uses it. After its sweep it
/// refuses native currency, which would be destroyed with the code: the factory lets nothing follow a sweep, except on a
/// chain whose transactions carry several calls of one account.
contract DepositReceiver is DepositReceiverErrors {
    address private immutable FACTORY = msg.sender;
    Depository private immutable DEPOSITORY;

    constructor(Depository depository) {
        DEPOSITORY = depository;
    }

    bool private transient swept;

    /// @notice Takes native currency until the address is swept.
    receive() external payable {
        if (swept) revert AlreadySwept();
    }

    /// @notice Deposits all that is here of each token, and all native currency.
    /// @dev `id` and `depositor` are those of the address: the factory finds it by them.
    function sweep(bytes32 id, address depositor, address[] calldata tokens) external {
        if (msg.sender != FACTORY) revert Unauthorized();
        for (uint256 i = 0; i < tokens.length; ++i) {
            if (tokens[i] != address(0)) _sweepToken(id, depositor, tokens[i]);
        }
        if (address(this).balance > 0) DEPOSITORY.depositNative{value: address(this).balance}(depositor, id);
        swept = true;
        selfdestruct(payable(address(DEPOSITORY)));
    }

    function _sweepToken(bytes32 id, address depositor, address token) private {
        (bool known, uint256 amount) = SafeMoves.readWord(token, abi.encodeWithSelector(0x70a08231, address(this)));
        if (!known) revert SweepFailed(token);
        if (amount == 0) return;
        if (!SafeMoves.tryApprove(token, address(DEPOSITORY), amount)) revert SweepFailed(token);
        DEPOSITORY.depositErc20(depositor, token, amount, id);
    }
}
