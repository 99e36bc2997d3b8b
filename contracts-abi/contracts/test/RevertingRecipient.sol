// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice A recipient of native currency that behaves as told: it takes the money, refuses with a short reason,
/// refuses with a very long one, burns all gas, or answers at great length.
contract RevertingRecipient {
    enum Mode {
        Accept,
        Refuse,
        RefuseAtLength,
        BurnGas,
        AnswerAtLength
    }

    Mode public mode;

    /// @notice Length of the long answers in bytes.
    uint256 public length;

    function setMode(Mode mode_, uint256 length_) external {
        mode = mode_;
        length = length_;
    }

    receive() external payable {
        _behave();
    }

    fallback() external payable {
        _behave();
    }

    /// @notice Sends money on with the fixed stipend of 2300 gas, as old wrapped-currency contracts do.
    function payByStipend(address payable to, uint256 amount) external {
        to.transfer(amount);
    }

    function _behave() private view {
        Mode now_ = mode;
        uint256 size = length;
        if (now_ == Mode.Refuse) revert("not welcome");
        if (now_ == Mode.RefuseAtLength) {
            assembly {
                revert(0, size)
            }
        }
        if (now_ == Mode.BurnGas) {
            while (true) {}
        }
        if (now_ == Mode.AnswerAtLength) {
            assembly {
                return(0, size)
            }
        }
    }
}
