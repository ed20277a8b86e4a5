import { useId } from 'react';

/** The box, closed or open. Decoration only. */
export function BoxPicture({ size, isOpen = false }: { size: number; isOpen?: boolean }) {
  const id = useId();
  return (
    <svg
      className="box-picture"
      width={size}
      height={size}
      viewBox="0 0 160 160"
      aria-hidden="true"
      data-open={isOpen ? '' : undefined}
    >
      <defs>
        <linearGradient id={`${id}b`} x1="0" y1="0" x2="1" y2="1">
          <stop offset="0" stopColor="#8a73f5" />
          <stop offset="1" stopColor="#4a33c4" />
        </linearGradient>
        <radialGradient id={`${id}g`}>
          <stop offset="0" stopColor="#ffe39a" stopOpacity=".9" />
          <stop offset="1" stopColor="#ffe39a" stopOpacity="0" />
        </radialGradient>
      </defs>
      {isOpen && <circle className="box-glow" cx="80" cy="62" r="70" fill={`url(#${id}g)`} />}
      <path d="M26 74l54 22 54-22v46l-54 24-54-24z" fill={`url(#${id}b)`} />
      <path d="M80 96v48l54-24V74z" fill="#000" opacity=".16" />
      {isOpen ? (
        <>
          <path d="M26 74l54-20 54 20-54 22z" fill="#2a1a6d" />
          <path d="M26 74L10 56l52-20 18 18z" fill="#9d8af7" />
          <path d="M134 74l16-18-52-20-18 18z" fill="#7c64ee" />
          <path d="M62 74q18-34 36 0" fill="#ffe39a" opacity=".95" />
        </>
      ) : (
        <g className="box-lid">
          <path d="M20 66l60-24 60 24-60 24z" fill="#a593f8" />
          <path d="M20 66v14l60 24V90zM140 66v14l-60 24V90z" fill="#6a52e0" />
          <path d="M50 54l60 24v14l-60-24z" fill="#ffe39a" opacity=".9" />
          <path d="M110 54L50 78" stroke="#ffe39a" strokeWidth="11" />
        </g>
      )}
    </svg>
  );
}
