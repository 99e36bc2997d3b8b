// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Depository} from "../contracts/Depository.sol";
import {ForcedPayment} from "../contracts/test/ForcedPayment.sol";
import {ReentrantToken} from "../contracts/test/ReentrantToken.sol";
import {TestToken} from "../contracts/test/TestToken.sol";
import {Cheats} from "./Campaign.sol";

/// @notice A factory of deposit addresses, of any release.
interface Sweeper {
    function computeDepositAddress(bytes32 orderId, address depositor) external view returns (address);
    function sweep(bytes32 orderId, address depositor, address[] calldata tokens) external;
}

interface Receiver {
    function sweep(bytes32 orderId, address depositor, address[] calldata tokens) external;
}

/// @notice Pays and sweeps a few deposit addresses, alone and within one transaction.
contract DepositAddressHandler is Cheats {
    uint256 private constant ADDRESSES = 3;
    address private constant ACCOUNT = address(0xACC0);

    Depository public immutable depository;
    Sweeper public immutable factory;
    TestToken public immutable plain = new TestToken("Plain", "PLN", 6);
    ReentrantToken public immutable hostile = new ReentrantToken("Hostile", "HST", 6);

    address[] private addresses;

    /// @notice All native currency that a deposit address accepted.
    uint256 public paid;
    uint256 public forcedIntoDepository;
    uint256 public plainPaid;
    uint256 public hostilePaid;
    uint256 public sweeps;
    bool public receiverObeyed;

    constructor(Depository depository_, Sweeper factory_) {
        (depository, factory) = (depository_, factory_);
        for (uint256 at = 0; at < ADDRESSES; ++at) {
            (bytes32 id, address depositor) = _terms(at);
            addresses.push(factory_.computeDepositAddress(id, depositor));
        }
    }

    function allAddresses() external view returns (address[] memory) {
        return addresses;
    }

    function pay(uint256 which, uint96 amount) public {
        vm.deal(address(this), amount);
        (bool accepted,) = addresses[which % ADDRESSES].call{value: amount}("");
        if (accepted) paid += amount;
    }

    /// @notice Native currency that no code can refuse.
    function force(uint256 which, uint96 amount) public {
        vm.deal(address(this), amount);
        new ForcedPayment{value: amount}(payable(addresses[which % ADDRESSES]));
        paid += amount;
    }

    function forceIntoDepository(uint96 amount) external {
        vm.deal(address(this), amount);
        new ForcedPayment{value: amount}(payable(address(depository)));
        forcedIntoDepository += amount;
    }

    function payPlain(uint256 which, uint96 amount) public {
        plain.mint(addresses[which % ADDRESSES], amount);
        plainPaid += amount;
    }

    function payHostile(uint256 which, uint96 amount) public {
        hostile.mint(addresses[which % ADDRESSES], amount);
        hostilePaid += amount;
    }

    /// @notice The hostile token pays or sweeps in the middle of its transfers.
    function arm(uint256 what, uint256 which, uint96 amount) external {
        (bytes32 id, address depositor) = _terms(which);
        what %= 5;
        if (what == 0) hostile.arm(address(0), "");
        if (what == 1) hostile.arm(address(this), abi.encodeCall(this.pay, (which, amount)));
        if (what == 2) hostile.arm(address(this), abi.encodeCall(this.force, (which, amount)));
        if (what == 3) hostile.arm(address(factory), abi.encodeCall(factory.sweep, (id, depositor, _tokens(which))));
        if (what == 4) hostile.arm(address(depository), abi.encodeCall(depository.depositNative, (depositor, id)));
    }

    /// @notice A transaction that an account without code sends to the factory.
    function sweepDirectly(uint256 which, uint256 named) public {
        (bytes32 id, address depositor) = _terms(which);
        vm.prank(ACCOUNT, ACCOUNT);
        try factory.sweep(id, depositor, _tokens(named)) {
            ++sweeps;
        } catch {}
    }

    /// @notice A transaction in which a contract sweeps first and has others pay afterwards.
    function sweepAndPay(uint256 which, uint256 named, uint96 amount, uint256 how) external {
        (bytes32 id, address depositor) = _terms(which);
        try factory.sweep(id, depositor, _tokens(named)) {
            ++sweeps;
        } catch {}
        how %= 4;
        if (how == 0) pay(which, amount);
        if (how == 1) force(which, amount);
        if (how == 2) payPlain(which, amount);
        if (how == 3) pay(which + 1, amount);
    }

    /// @notice A transaction that carries a sweep and a payment of one account, as some chains allow.
    function batch(uint256 which, uint256 named, uint96 amount, bool again) external {
        sweepDirectly(which, named);
        pay(which, amount);
        payPlain(which, amount);
        if (again) sweepDirectly(which, named);
    }

    /// @notice Calls a receiver without the factory, in the one transaction in which it has code.
    function sweepWithoutFactory(uint256 which, uint256 named, address depositor) external {
        (bytes32 id,) = _terms(which);
        sweepDirectly(which, named);
        address receiver = addresses[which % ADDRESSES];
        if (receiver.code.length == 0) return;
        try Receiver(receiver).sweep(id, depositor, _tokens(named)) {
            receiverObeyed = true;
        } catch {}
    }

    function _terms(uint256 which) private pure returns (bytes32 id, address depositor) {
        which %= ADDRESSES;
        return (keccak256(abi.encode("order", which)), address(uint160(0xD000 + which)));
    }

    function _tokens(uint256 named) private view returns (address[] memory tokens) {
        named %= 4;
        tokens = new address[](named == 3 ? 2 : named == 0 ? 0 : 1);
        if (named == 1) tokens[0] = address(plain);
        if (named == 2) tokens[0] = address(hostile);
        if (named == 3) (tokens[0], tokens[1]) = (address(hostile), address(plain));
    }
}
