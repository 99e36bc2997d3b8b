// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {TestToken} from "./TestToken.sol";

/// @notice Behaves well in calls and estimates, which have no gas price, and as it was told in transactions: it stands
/// for a token that changes between the simulation of a payment and its block.
contract FickleToken is TestToken {
    enum Mood {
        Honest,
        AnswersFalse,
        Lies,
        Paused,
        TakesFee,
        MovesSilently,
        Burns
    }

    Mood public mood;
    /// @notice The account that the mood is for, as the sender of a transfer; zero: everybody.
    address public victim;

    constructor(string memory name_, string memory symbol_, uint8 decimals_) TestToken(name_, symbol_, decimals_) {}

    /// @notice Anybody may.
    function setMood(Mood mood_, address victim_) external {
        (mood, victim) = (mood_, victim_);
    }

    function transfer(address to, uint256 value) external override returns (bool) {
        return _pay(msg.sender, to, value);
    }

    function transferFrom(address from, address to, uint256 value) external override returns (bool) {
        _spend(from, value);
        return _pay(from, to, value);
    }

    function _pay(address from, address to, uint256 value) private returns (bool) {
        // Read first in any case, so that an estimate has gas for it.
        (Mood now_, address whom) = (mood, victim);
        if (tx.gasprice == 0 || (whom != address(0) && whom != from)) now_ = Mood.Honest;
        require(now_ != Mood.Paused, "transfers are paused");
        if (now_ == Mood.AnswersFalse) return false;
        if (now_ == Mood.Lies) return true;
        if (now_ == Mood.Honest) {
            _move(from, to, value);
            return true;
        }
        balanceOf[from] -= value;
        if (now_ == Mood.Burns) {
            emit Transfer(from, address(0), value);
            return true;
        }
        uint256 arriving = now_ == Mood.TakesFee ? value - value / 100 : value;
        balanceOf[to] += arriving;
        if (now_ == Mood.TakesFee) emit Transfer(from, to, arriving);
        return true;
    }
}
