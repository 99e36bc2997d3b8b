// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {DepositAddressFactory} from "../contracts/DepositAddressFactory.sol";
import {Depository} from "../contracts/Depository.sol";
import {FormerDepositAddressFactory} from "../contracts/former/FormerDepositAddressFactory.sol";
import {TestToken} from "../contracts/test/TestToken.sol";
import {Campaign} from "./Campaign.sol";
import {DepositAddressHandler, Sweeper} from "./DepositAddressHandler.sol";

abstract contract DepositAddressRules is Campaign {
    Depository private depository;
    DepositAddressHandler private handler;

    function setUp() external {
        depository = new Depository(address(this), address(this));
        handler = new DepositAddressHandler(depository, _factory(depository));
        _target(address(handler));
    }

    function invariant_depositAddresses() external view {
        uint256 native = address(depository).balance - handler.forcedIntoDepository();
        address[] memory addresses = handler.allAddresses();
        for (uint256 at = 0; at < addresses.length; ++at) {
            native += addresses[at].balance;
            require(addresses[at].code.length == 0, "a payment of 21000 gas does not reach the address");
        }
        _equal(native, handler.paid(), "native currency was lost");
        _equal(_held(addresses, handler.plain()), handler.plainPaid(), "tokens were lost");
        _equal(_held(addresses, handler.hostile()), handler.hostilePaid(), "tokens of a hostile contract were lost");
        require(!handler.receiverObeyed(), "a receiver obeyed another caller than the factory");
        require(address(handler.factory()).balance == 0, "the factory kept money");
    }

    /// @dev All that is at the addresses and in the depository.
    function _held(address[] memory addresses, TestToken token) private view returns (uint256 sum) {
        sum = token.balanceOf(address(depository));
        for (uint256 at = 0; at < addresses.length; ++at) {
            sum += token.balanceOf(addresses[at]);
        }
    }

    function _factory(Depository to) internal virtual returns (Sweeper);
}

contract DepositAddressInvariants is DepositAddressRules {
    function _factory(Depository to) internal override returns (Sweeper) {
        return Sweeper(address(new DepositAddressFactory(to)));
    }
}

/// @notice Fails: the receivers of the former factory lose what is paid after their sweep in one transaction.
contract FormerDepositAddressInvariants is DepositAddressRules {
    function _factory(Depository to) internal override returns (Sweeper) {
        return Sweeper(address(new FormerDepositAddressFactory(to)));
    }
}
