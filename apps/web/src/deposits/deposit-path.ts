export const DEPOSIT_PATH = '/pages/Recharge/Recharge';
