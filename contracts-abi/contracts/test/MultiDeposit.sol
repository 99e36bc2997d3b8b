// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

interface IDepository {
    function depositNative(address depositor, bytes32 id) external payable;
    function depositErc20(address depositor, address token, uint256 amount, bytes32 id) external;
}

interface IToken {
    function approve(address spender, uint256 value) external returns (bool);
    function transferFrom(address from, address to, uint256 value) external returns (bool);
}

/// @notice Makes several deposits with one order id in one transaction. The caller approves this contract for the
/// tokens and attaches the sum of the native amounts.
contract MultiDeposit {
    struct Deposit {
        /// Zero for the native currency.
        address token;
        uint256 amount;
    }

    function depositMany(IDepository depository, address depositor, bytes32 id, Deposit[] calldata deposits)
        external
        payable
    {
        address from = depositor == address(0) ? msg.sender : depositor;
        for (uint256 i = 0; i < deposits.length; ++i) {
            Deposit calldata item = deposits[i];
            if (item.token == address(0)) {
                depository.depositNative{value: item.amount}(from, id);
            } else {
                require(IToken(item.token).transferFrom(msg.sender, address(this), item.amount), "pull failed");
                require(IToken(item.token).approve(address(depository), item.amount), "approve failed");
                depository.depositErc20(from, item.token, item.amount, id);
            }
        }
        require(address(this).balance == 0, "value left");
    }
}
