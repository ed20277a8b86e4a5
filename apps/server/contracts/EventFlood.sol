// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.30;

interface IToken {
    function transfer(address to, uint256 value) external returns (bool);
}

/// For tests: a stranger who fills blocks with events to one address.
contract EventFlood {
    event Transfer(address indexed from, address indexed to, uint256 value);

    /// Says that money of no token moved.
    function flood(address to, uint256 times) external {
        for (uint256 n = 1; n <= times; n++) emit Transfer(address(uint160(n)), to, n);
    }

    /// Moves nothing of a real token, which emits real events.
    function floodWith(IToken token, address to, uint256 times) external {
        for (uint256 n = 0; n < times; n++) token.transfer(to, 0);
    }
}
