// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ScriptedWallet} from "./ScriptedWallet.sol";

/// @notice Makes contract wallets at addresses known beforehand (CREATE2), and misbehaves when asked to.
contract ScriptedWalletFactory {
    function make(address owner, ScriptedWallet.Mood mood, bytes32 salt) public returns (address) {
        return address(new ScriptedWallet{salt: salt}(owner, mood));
    }

    /// @notice Makes the wallet, and gives up afterwards: nothing is there.
    function makeInVain(address owner, ScriptedWallet.Mood mood, bytes32 salt) external {
        make(owner, mood, salt);
        revert("changed my mind");
    }

    function burn() external pure {
        while (true) {}
    }

    function revertLong() external pure {
        assembly {
            revert(0, 10000000)
        }
    }

    /// @notice Takes what `from` allowed this contract to take.
    function drain(address token, address from, uint256 amount) external {
        (bool ok,) = token.call(abi.encodeWithSelector(0x23b872dd, from, address(this), amount));
        require(ok, "nothing to take");
    }

    receive() external payable {}
}
