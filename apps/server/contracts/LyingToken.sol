// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.30;

/// For tests: says that it is USDT and that it moved money, and moves nothing.
contract LyingToken {
    string public constant name = "Tether USD";
    string public constant symbol = "USDT";
    uint8 public constant decimals = 18;

    event Transfer(address indexed from, address indexed to, uint256 value);

    function balanceOf(address) external pure returns (uint256) {
        return 0;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        emit Transfer(msg.sender, to, value);
        return false;
    }

    /// Takes part in a transaction that fails.
    function fail() external pure {
        revert("failed");
    }
}
